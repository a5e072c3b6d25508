#!/usr/bin/env node
// Plain JavaScript, so that an older Node can still read the sentence below.
const wanted = 24
const found = Number(process.versions.node.split('.')[0])
if (found < wanted) {
  console.error(
    `Perigee needs Node ${wanted} or newer; this is ${process.version}. Start it with "npm start" or "npm run perigee", which bring their own.`,
  )
  process.exit(1)
}
// Types are stripped once for all starts, in this thread and in those to come: that saves 30 MB each time.
const { enableCompileCache } = await import('node:module')
process.env['NODE_COMPILE_CACHE'] ??= new URL('../node_modules/.cache/perigee', import.meta.url).pathname
enableCompileCache(process.env['NODE_COMPILE_CACHE'])
const { freshProgram } = await import('../scripts/program/fresh.ts')
await import(freshProgram(`${import.meta.dirname}/..`) ?? '../src/cli/main.ts')
