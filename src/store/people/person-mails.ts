import { type PersonMail, personMailSchema } from '#core/people/person-mail.ts'
import type { Transaction } from '#store/database/database.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

const place: Place = { column: 'jobs.person_mail', id: '' }

type Seal = Pick<Secrets, 'encrypt'>

/** The mail leaves when the transaction has committed. Until then its links lie sealed in the job queue. */
export async function enqueuePersonMail(tx: Transaction, secrets: Seal, mail: PersonMail): Promise<void> {
  const sealed = secrets.encrypt(JSON.stringify(mail), place).toString('base64')
  await enqueueNotices(tx, [{ notice: 'person_mail', sealed }])
}

export function openPersonMail(sealed: string, secrets: Pick<Secrets, 'decrypt'>): PersonMail {
  return personMailSchema.parse(JSON.parse(secrets.decrypt(Buffer.from(sealed, 'base64'), place)))
}
