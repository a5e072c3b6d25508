import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { createSecrets } from '#store/database/secrets.ts'
import { acknowledgeUrl, formTokenOf, isFormToken, readAcknowledgeToken } from './acknowledge-links.ts'
import {
  confirmationUrl,
  linkIdOf,
  readConfirmationToken,
  readUnsubscribeLink,
  type Signer,
  unsubscribeUrl,
} from './links.ts'
import { endReportUrl, readReportLink } from './report-links.ts'
import { endSubscriptionUrl, readEndOfSubscription, readSubscription, subscriptionUrl } from './status-links.ts'

const [old, fresh] = [randomBytes(32), randomBytes(32)]
const signers = {
  before: createSecrets(old),
  'before, with the next one known': createSecrets({ current: old, next: fresh }),
  after: createSecrets({ current: fresh, former: [old] }),
  'once the old key is retired': createSecrets(fresh),
}
const root = 'https://perigee.example'
const id = randomUUID()
const contact = { id, addressNumber: 2 }
const now = new Date('2026-11-27T10:00:00Z')
const lastOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** What makes a link of each sort, and whether a signer takes it for ours. */
const links: Record<string, [make: (signer: Signer) => string, isOurs: (link: string, signer: Signer) => boolean]> = {
  'that confirm an address': [
    (signer) => confirmationUrl(root, linkIdOf(contact), signer),
    (link, signer) => readConfirmationToken(lastOf(link), signer) !== null,
  ],
  'that end alerts': [
    (signer) => unsubscribeUrl(root, linkIdOf(contact), signer),
    (link, signer) => readUnsubscribeLink({ contactId: linkIdOf(contact), signature: lastOf(link) }, signer) !== null,
  ],
  'that acknowledge': [
    (signer) => acknowledgeUrl(root, { incidentId: id, contact, alertAt: now }, signer),
    (link, signer) => readAcknowledgeToken(lastOf(link), signer) !== null,
  ],
  'of forms that acknowledge': [
    (signer) => formTokenOf('token', now, signer),
    (link, signer) => isFormToken(link, { token: 'token', now }, signer),
  ],
  'that end a report': [
    (signer) => endReportUrl(root, { reportId: id, contactId: linkIdOf(contact) }, signer),
    (link, signer) =>
      readReportLink({ reportId: id, contactId: linkIdOf(contact), signature: lastOf(link) }, signer) !== null,
  ],
  'that confirm a subscription': [
    (signer) => subscriptionUrl(root, id, signer),
    (link, signer) => readSubscription(lastOf(link), signer) !== null,
  ],
  'that end a subscription': [
    (signer) => endSubscriptionUrl(root, id, signer),
    (link, signer) => readEndOfSubscription(lastOf(link), signer) !== null,
  ],
}

describe('in a change of the secret key, links', () => {
  const { before, after } = signers
  const { 'before, with the next one known': between, 'once the old key is retired': retired } = signers
  for (const [what, [make, isOurs]] of Object.entries(links))
    it(`${what} hold from both sides, until the old key is retired`, () => {
      const [ofOld, ofNew] = [make(before), make(after)]
      assert.notEqual(ofOld, ofNew)
      assert.deepEqual(
        [before, between, after, retired].map((signer) => [isOurs(ofOld, signer), isOurs(ofNew, signer)]),
        [
          [true, false],
          [true, true],
          [true, true],
          [false, true],
        ],
      )
    })
})
