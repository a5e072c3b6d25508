// Addresses that only the story knows: of things by their ids, and of links in mails.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { insertInvitation } from '#store/people/invitations.ts'
import { hashToken } from '#store/database/secrets.ts'
import { createSetUpToken } from '#store/people/set-up-links.ts'
import { before, mara as owner, storyNow } from './company.ts'
import type { Service } from './service.ts'
import type { Story } from './workspace.ts'

export type Links = {
  /** The id of a monitor by its name. */
  monitor: (name: string) => string
  /** Ids. */
  incident: string
  contact: string
  window: string
  report: string
  objective: string
  statusPage: string
  receipt: string
  /** Paths. */
  claim: string
  setUp: string
  invitation: string
}

const listSchema = z.object({ data: z.array(z.object({ id: z.string(), name: z.string().optional() })) })

export async function linksOf(service: Service, { as, monitors, claimLink }: Story): Promise<Links> {
  const { database, workspaceId } = service
  const mara = await as(owner)
  const idIn = async (path: string, name?: string): Promise<string> => {
    const { data } = listSchema.parse(await mara.ask('GET', path))
    const found = name === undefined ? data[0] : data.find((each) => each.name === name)
    if (found === undefined) throw new Error(`${path} has no ${name ?? 'entry'}.`)
    return found.id
  }
  const setUp = await createSetUpToken(database, { workspaceId, now: storyNow })
  return {
    monitor: (name) => monitors.of(name).id,
    incident: await idIn('/incidents'),
    contact: await idIn('/alert-channels', 'On call'),
    window: await idIn('/maintenance-windows', 'Restore test of the backups'),
    report: await idIn('/reports', 'The shop'),
    objective: await idIn('/slos', 'Buying'),
    statusPage: await idIn('/status-pages'),
    receipt: await idIn('/payments'),
    claim: claimLink,
    setUp: `/set-up#token=${setUp}`,
    invitation: `/invitation#token=${await invite(service)}`,
  }
}

/** The link as mails have it; the token is kept nowhere else. */
async function invite({ database, workspaceId }: Service): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await database.transaction((tx) =>
    insertInvitation(tx, {
      workspaceId,
      email: 'luc@harbourtea.example',
      role: 'member',
      tokenHash: hashToken(token),
      invitedBy: owner,
      createdAt: before({ days: 1 }),
      expiresAt: before({ days: -6 }),
    }),
  )
  return token
}
