import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ProviderTrouble } from './provider-fetch.ts'
import { providerTroubleOf } from './provider-trouble.ts'

const own = new ProviderTrouble('The provider is too slow.')

/** The library puts its own errors around ours. */
function wrapped(times: number): Error {
  return times === 0 ? own : new Error('wrapped', { cause: wrapped(times - 1) })
}

describe('the trouble with a provider', () => {
  for (const times of [0, 1, 2, 3, 4])
    it(`is the one that was found, within ${times} other errors`, async () =>
      assert.equal(await providerTroubleOf(wrapped(times)), own))

  it('is looked for in few of them, so that a circle has an end', async () => {
    assert.match((await providerTroubleOf(wrapped(5))).message, /^The provider did not answer as .*: wrapped\.$/)
    const circle = new Error('circle')
    circle.cause = circle
    assert.match((await providerTroubleOf(circle)).message, /: circle\.$/)
  })

  it('has a sentence for a code of the library', async () => {
    const error = Object.assign(new Error('unexpected'), { code: 'OAUTH_TIMEOUT' })
    assert.equal((await providerTroubleOf(error)).message, 'The provider did not answer in time.')
  })

  it('is one also where no error was thrown', async () =>
    assert.equal((await providerTroubleOf('words')).message, 'The provider answered with what cannot be read.'))
})
