import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { testApi } from '../../../test/support/api.ts'
import { editsOf } from '../../../test/support/edited-text.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { runVerify } from '../../cli/verify.ts'
import { addDays, startOf } from '#core/language/utc-day.ts'
import { type Countersignature, countersignHead, countersignatureSchema } from '#core/proofs/countersign.ts'
import { type SigningPair, publicSigningKey } from '#core/proofs/signature.ts'
import { signedHeadSchema } from '#core/proofs/signed-history.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'
import { takeOffer } from '#store/results/countersignatures.ts'
import { signNextDay } from '#store/results/signed-days.ts'
import { sumUpNextHours } from '#store/results/signed-hours.ts'
import { signedHistoryOperations } from './signed-history.ts'

const day = '2031-03-10'
/** RFC 8032 7.1, the second test. */
const pair: SigningPair = {
  d: 'TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs',
  x: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
}
/** RFC 8032 7.1, the first test. */
const otherKey = publicSigningKey('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')

const rootSchema = signedHeadSchema.extend({
  hash: z.string(),
  countersignatures: z.array(countersignatureSchema.extend({ at: z.iso.datetime() })),
})
const rootsSchema = z.object({ data: z.array(rootSchema) })

describe('what locations sign of the history', async () => {
  const api = await testApi({ operations: [...monitorOperations, ...signedHistoryOperations] })
  const { database } = api
  const keys = signingKeys(database, api.services.secrets)
  const folder = await mkdtemp(join(tmpdir(), 'perigee-verify-'))
  after(() => rm(folder, { recursive: true }))
  const { id } = await createMonitor(api, { interval_seconds: 300, locations: ['amsterdam'] })
  const none = { since: null, signatures: [], fork: null }
  assert.deepEqual((await takeOffer(database, { location: 'fra', keys, offer: none })).reply.heads, [])
  await sumUpNextHours(database, startOf(day))
  while ((await sumUpNextHours(database, new Date(startOf(day).getTime() + 75 * 3_600_000))) !== null);
  while ((await signNextDay(database, keys)) !== null);

  const offer = (since: string | null, signatures: { day: string; signature: Countersignature }[] = []) =>
    takeOffer(database, { location: 'fra', keys, offer: { since, signatures, fork: null } })
  const roots = async () => rootsSchema.parse((await api.get('/history/roots')).body).data
  const heads = (await roots()).map(({ head }) => head)
  const signedBy = (of: SigningPair, location = 'fra') =>
    heads.map((head) => ({ day: head.day, signature: countersignHead(head, { pair: of, location }) }))
  const save = async (name: string, content: unknown): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }
  const exported = await save('history.jsonl', (await api.get(`/monitors/${id}/signed-history`)).text)

  it('begins with the newest head, and goes on from the day that a location knows', async () => {
    const days = async (since: string | null) => (await offer(since)).reply.heads.map(({ head }) => head.day)
    assert.deepEqual(await days(null), [addDays(day, 2)])
    assert.deepEqual(await days(addDays(day, 1)), [addDays(day, 1), addDays(day, 2)])
    assert.deepEqual(await days(addDays(day, 9)), [])
    assert.deepEqual((await offer(null)).reply.keys, await keys.publicKeys())
  })

  it('is refused where it is of another location, another head or no head', async () => {
    const [first = assert.fail()] = signedBy(pair)
    const wrong = [
      ...signedBy(pair, 'nyc'),
      { ...first, day: addDays(day, 1) },
      { ...first, day: addDays(day, 30) },
      { ...first, signature: { ...first.signature, key: otherKey } },
    ]
    assert.partialDeepStrictEqual(await offer(null, wrong), { stored: 0, refused: wrong.length })
    assert.deepEqual(
      (await roots()).flatMap(({ countersignatures }) => countersignatures),
      [],
    )
  })

  it('stands beside the root, once, by four keys of a location at most', async () => {
    const [first = assert.fail(), second = assert.fail()] = signedBy(pair)
    assert.partialDeepStrictEqual(await offer(null, [first, second]), { stored: 2, refused: 0 })
    assert.partialDeepStrictEqual(await offer(null, [first, second]), { stored: 0, refused: 0 })
    const found = await roots()
    const shown = found.map(({ countersignatures }) => countersignatures.map(({ at: _at, ...each }) => each))
    assert.deepEqual(shown, [[first.signature], [second.signature], []])
    for (let key = 0; key < 5; key += 1) {
      const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
      const [of = assert.fail()] = signedBy({ x, d })
      assert.equal((await offer(null, [of])).stored, key < 3 ? 1 : 0)
    }
    assert.equal((await roots())[0]?.countersignatures.length, 4)
  })

  it('is told by the command, which counts the keys that it is given', async () => {
    const [, second = assert.fail()] = await roots()
    const file = await save('roots.json', { data: [second] })
    const bare = await run(exported, '--roots', file)
    assert.equal(bare.code, 0, bare.text)
    assert.match(
      bare.text,
      /1 of 3 days were signed by locations as well: fra\.\nThe keys of these locations came with/,
    )
    const known = await save('known.json', { keys: [publicSigningKey(pair.x)] })
    const told = await run(exported, '--roots', file, '--countersigners', known)
    assert.equal(told.code, 0, told.text)
    assert.match(
      told.text,
      /1 of 3 days were signed by locations as well: fra\.\nThese signatures are by keys that you gave/,
    )
    const json = await run(exported, '--roots', file, '--countersigners', known, '--json')
    const locations = JSON.parse(json.text).history.countersigned.map(
      ({ locations: of }: { locations: string[] }) => of,
    )
    assert.deepEqual(locations, [[], ['fra'], []])
    const unknown = await save('unknown.json', { keys: [otherKey] })
    const refused = await run(exported, '--roots', file, '--countersigners', unknown)
    assert.deepEqual(
      [refused.code, refused.text],
      [1, 'Changed, or not whole. Line 1: None of the days was signed by one of these locations.\n'],
    )
    await assert.rejects(run(exported, '--countersigners', known), /--countersigners needs --roots/)
  })

  it('is found out where any byte of it was changed', { timeout: 120_000 }, async () => {
    const known = await save('known.json', { keys: [publicSigningKey(pair.x)] })
    const [, second = assert.fail()] = await roots()
    const [{ at: _at, ...countersignature } = assert.fail()] = second.countersignatures
    const { signature, location, key } = countersignature
    const text = JSON.stringify({ signature, location, x: key.x })
    const unfound: string[] = []
    for (const { text: edited, what } of editsOf(text, { count: 500, seed: 20_261_129 })) {
      let changed: unknown
      try {
        changed = JSON.parse(edited)
      } catch {
        continue
      }
      if (JSON.stringify(changed) === text) continue
      const read = z.object({ signature: z.string(), location: z.string(), x: z.string() }).safeParse(changed)
      if (!read.success || JSON.stringify(read.data) === text) continue
      const { x, ...of } = read.data
      const file = await save('edited.json', {
        data: [{ ...second, countersignatures: [{ ...of, key: { ...key, x } }] }],
      })
      if ((await run(exported, '--roots', file, '--countersigners', known)).code === 0) unfound.push(what)
    }
    assert.deepEqual(unfound, [])
  })
})

async function run(...argv: string[]): Promise<{ code: number; text: string }> {
  let text = ''
  const write = (part: string): void => void (text += part)
  const code = await runVerify(argv, { out: { write }, err: { write } })
  return { code, text }
}
