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
await import('../src/cli/main.ts')
