#!/usr/bin/env node
// A separate file, so that npm can link it before the first build.
import '../dist/main.js'
