#!/usr/bin/env node
// The beginning of a released Perigee. Plain JavaScript, so that an older Node can still read the sentence below.
const wanted = 24
const found = Number(process.versions.node.split('.')[0])
if (found < wanted) {
  console.error(
    `Perigee needs Node ${wanted} or newer; this is ${process.version}. The archives of Perigee bring a Node along.`,
  )
  process.exit(1)
}
const { enableCompileCache } = await import('node:module')
// Threads take the cache from the environment. Where the folder cannot be written there is none.
process.env['NODE_COMPILE_CACHE'] ??= new URL('../node_modules/.cache/perigee', import.meta.url).pathname
enableCompileCache(process.env['NODE_COMPILE_CACHE'])
await import('../dist/perigee.mjs')
