"""Wheels for machines that are not at hand: built, repaired, checked against their tag, and tried under emulation.

It works for any project of this framework that meson-python builds and that keeps to the limited API. What a target is
stands in its Meson cross file; `build` makes a wheel, `check` refuses a bad one, `tries` imports it in a Python of its
architecture, `command` does that for many targets at a time.
"""
