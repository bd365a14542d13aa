// Preloaded into the program by its tests: the compiled part of each package named in
// BROKEN_PACKAGES fails to load, as one does that was built for another machine.
const { sep } = require('node:path')

const { BROKEN_PACKAGES = '' } = process.env
const { dlopen } = process

process.dlopen = (module, file, ...rest) => {
  for (const name of BROKEN_PACKAGES.split(',')) {
    if (file.includes(`${sep}node_modules${sep}${name}`))
      throw new Error(`${file}: wrong ELF class`)
  }
  return dlopen.call(process, module, file, ...rest)
}
