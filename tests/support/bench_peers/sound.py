"""A peer with correct operations and with operations that fail in different ways."""

import os
import signal
import sys
import time

from bench.harness import Task, Unavailable


def version():
    return "1.2.3"


def add(argument):
    return Task(lambda: int(argument) + 1, facts=lambda result: [result])


def add_wrongly(argument):
    return Task(lambda: int(argument) + 2, facts=lambda result: [result])


def zeros(argument):
    return Task(lambda: bytes(int(argument)), facts=lambda result: [len(result)])


def number(argument):
    return Task(lambda: int(argument), facts=lambda result: [result], unit="apples")


def once(argument):
    """Each object that was set up can be used only once."""
    return Task(lambda things: things.pop(), setup=lambda: [1], facts=lambda result: [result])


def print_garbage(argument):
    def call():
        print("garbage")
        sys.stdout.flush()
        os.write(1, b'{"value": 1}\n')
        return 1

    return Task(call, facts=lambda result: [result])


def fail(argument):
    raise TypeError("cannot do\nthis")


def refuse(argument):
    raise Unavailable("not with this version")


def hang(argument):
    return Task(lambda: time.sleep(60))


def die(argument):
    return Task(lambda: os.kill(os.getpid(), signal.SIGKILL))


def leave(argument):
    return Task(lambda: sys.exit("enough"))


def vanish(argument):
    def call():
        sys.stderr.write("last words\n")
        sys.stderr.flush()
        os._exit(3)

    return Task(call)
