"""Models that the tests of reports share."""

from __future__ import annotations

HOSTILE = """\
space: spatial
name: "<img src=x onerror=alert(1)>"
title: "</script><script>hacked=1</script> $title & 'one' \\"two\\" <!--"
cite: "<b>bold</b>"
gravity: [0, 0, -9.81]
bodies:
  "<script>hacked=3</script>": {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}
joints:
  "<script>hacked=2</script>": {type: revolute, bodies: [ground, "<script>hacked=3</script>"], at: [0, 0, 0]}
  "A$x$ `|*": {type: revolute, bodies: [ground, "<script>hacked=3</script>"], at: [0, 0, 1]}
"""
