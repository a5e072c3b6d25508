import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { it } from 'node:test'
import { processName } from './process-name.ts'

it('a name is another one each time, and shows whose it is', () => {
  const names = Array.from({ length: 100 }, processName)
  assert.equal(new Set(names).size, 100)
  for (const name of names) assert.ok(name.startsWith(`${hostname()}-${process.pid}-`))
})
