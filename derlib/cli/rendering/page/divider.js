"use strict";
// The divider between the tree and the bytes: its place is a share of the width, or of the height on a narrow screen.
const SMALLEST = 15, LARGEST = 85, STEP = 2;

function beside() { return getComputedStyle($("divider")).cursor === "col-resize"; }

function divide(share) {
  const part = share === null ? null : Math.min(Math.max(share, SMALLEST), LARGEST);
  if (part === null) $("main").style.removeProperty("--first");
  else $("main").style.setProperty("--first", `${part}fr`), $("main").style.setProperty("--second", `${100 - part}fr`);
  if (part === null) $("main").style.removeProperty("--second");
  describeDivider();
}

function shareNow() {
  const whole = $("main").getBoundingClientRect(), first = $("first").getBoundingClientRect();
  return beside() ? (100 * first.width) / whole.width : (100 * first.height) / whole.height;
}

function describeDivider() {
  $("divider").setAttribute("aria-orientation", beside() ? "vertical" : "horizontal");
  $("divider").setAttribute("aria-valuenow", Math.round(shareNow()));
}

$("divider").addEventListener("pointerdown", (event) => {
  event.preventDefault();
  $("divider").focus();
  $("divider").setPointerCapture(event.pointerId);
});
$("divider").addEventListener("pointermove", (event) => {
  if (!$("divider").hasPointerCapture(event.pointerId)) return;
  const whole = $("main").getBoundingClientRect();
  divide(beside() ? (100 * (event.clientX - whole.left)) / whole.width : (100 * (event.clientY - whole.top)) / whole.height);
});
$("divider").addEventListener("dblclick", () => divide(null));
$("divider").addEventListener("keydown", (event) => {
  const less = beside() ? "ArrowLeft" : "ArrowUp", more = beside() ? "ArrowRight" : "ArrowDown";
  const places = { [less]: shareNow() - STEP, [more]: shareNow() + STEP, Home: SMALLEST, End: LARGEST, Enter: null };
  if (!Object.hasOwn(places, event.key)) return;
  event.preventDefault();
  divide(places[event.key]);
});
new ResizeObserver(describeDivider).observe($("main"));
