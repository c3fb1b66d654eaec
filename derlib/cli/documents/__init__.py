"""Reading documents and finding things in them. These modules write nothing."""
