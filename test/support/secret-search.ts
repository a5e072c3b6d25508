// Looks for secrets where none may stand: in every table, and in what was logged.
import type { Pool } from 'pg'

/** The name of each secret, by the secret itself. */
export type Secrets = ReadonlyMap<string, string>

/** Texts, by the places that they stand in. */
export type Places = Readonly<Record<string, string>>

/** Every row of every table as text, also of the people's schema and of the job queue. */
export async function dumpOf(pool: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name
    from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')
    order by 1`,
  )
  const texts: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query<{ line: string }>(`select each::text as line from ${name} as each`)
    texts[name] = rows.map(({ line }) => line).join('\n')
  }
  return texts
}

/** The secrets that stand in the clear, and their places. */
export function findSecrets(secrets: Secrets, places: Places): string[] {
  return Array.from(secrets).flatMap(([secret, what]) => {
    const forms = formsOf(secret)
    return Object.entries(places)
      .filter(([, text]) => forms.some((form) => holds(text, form)))
      .map(([place]) => `${what} stands in ${place}`)
  })
}

/**
 * The forms that a secret takes: plain, in addresses, in JSON, and as PostgreSQL and other programs write its bytes.
 */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const encoded = [bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...encoded]
}

/** Six digits may stand inside a longer number by chance; as a word of their own they do not. */
function holds(text: string, form: string): boolean {
  return /^\d{6}$/.test(form) ? new RegExp(`(?<![0-9a-f.])${form}(?![0-9a-f])`).test(text) : text.includes(form)
}
