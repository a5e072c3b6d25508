import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'

describe('a thread of probers', () => {
  it('holds no kind before it checks one, and then that one', async () => {
    const kinds = await loadedBy(`await checkedKinds.tcp()`)
    assert.deepEqual(kinds.before, [])
    assert.ok(kinds.after.includes('tcp'))
    assert.ok(!kinds.after.includes('mqtt') && !kinds.after.includes('http'), kinds.after.join())
  })
})

type Loaded = { before: string[]; after: string[] }

/** Names of the kinds whose files a process has loaded that imports what the thread does, and once it has done this. */
async function loadedBy(step: string): Promise<Loaded> {
  const script = `
    import { registerHooks } from 'node:module'
    import { basename } from 'node:path'
    const files = new Set()
    registerHooks({
      load(url, context, next) {
        if (url.includes('/src/kinds/')) files.add(basename(url, '.ts'))
        return next(url, context)
      },
    })
    const { kindNames } = await import('#core/monitors/kind-traits.ts')
    await import('#prober/prober-thread.ts')
    const { checkedKinds } = await import('#kinds/checked-kinds.ts')
    const loaded = () => kindNames.filter((name) => files.has(name.replaceAll('_', '-')))
    const before = loaded()
    ${step}
    console.log(JSON.stringify({ before, after: loaded() }))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  const loaded: Loaded = JSON.parse(stdout)
  return loaded
}
