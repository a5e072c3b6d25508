import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeLiteral } from 'pg'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import type { Perigee } from '../../support/perigee-process.ts'
import { type Places, type Secrets, dumpOf, findSecrets } from '../../support/secret-search.ts'
import { type CollectedSecrets, assertMet } from './collected-secrets.ts'

export type Run = { collected: CollectedSecrets; perigee: Perigee; dataFolder: string }

/**
 * Fails when a secret that the run met stands in the clear in a table or in a log, and unless it met all of these
 * kinds. Then one of each is put into a table, and into the database's log, and has to be found there.
 */
export async function assertSecretsKept(run: Run, wanted: readonly string[]): Promise<void> {
  const secrets = await run.collected.all()
  assertMet(secrets, wanted)
  const { pool, close } = openDatabase({ connection: runningConnection(run.dataFolder), maxConnections: 1 })
  const found = async (): Promise<string[]> => findSecrets(secrets, { ...(await dumpOf(pool)), ...logsOf(run) })
  try {
    assert.deepEqual(await found(), [])
    const planted = oneOfEach(secrets)
    const text = [...planted.values()].join(' ')
    await pool.query(`insert into settings (name, value) values ('planted', to_jsonb($1::text))`, [text])
    await assert.rejects(pool.query(`select ${escapeLiteral(text)}::integer`))
    const expected = Array.from(planted.keys()).flatMap((kind) => [
      `${kind} stands in public.settings`,
      `${kind} stands in postgres.log`,
    ])
    assert.deepEqual((await found()).toSorted(), expected.toSorted())
  } finally {
    await close()
  }
}

/** The link of the first start is printed on purpose: who reads it there is the operator. It has been used by now. */
const printedLink = /http:\S+\/set-up#token=\S+/

function logsOf({ perigee, dataFolder }: Run): Places {
  return {
    stdout: perigee.stdout().replace(printedLink, ''),
    stderr: perigee.stderr(),
    'postgres.log': readFileSync(join(dataFolder, 'postgres.log'), 'utf8'),
  }
}

/** A secret by each kind that there is. */
function oneOfEach(secrets: Secrets): Map<string, string> {
  return new Map(Array.from(secrets, ([secret, kind]) => [kind, secret]))
}
