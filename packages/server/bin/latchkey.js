#!/usr/bin/env node
// A file of its own, so that the link exists before the first build.
import '../dist/main.js'
