import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { MailTransport } from './mail-transport.ts'

export const outboxLimit = 1000
const ending = '.eml'
const unfinished = '.part'
const draftLifetimeMs = 3_600_000

/**
 * Keeps mail as files that the owner alone may read, named by time; beyond the limit the oldest go. A file is whole
 * as soon as it is there.
 */
export async function createOutbox({ from, folder }: { from: string; folder: string }): Promise<MailTransport> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeDrafts(folder)
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let pruning: Promise<void> = Promise.resolve()
  return {
    send: async ({ to, subject, text, html, headers }) => {
      const composed = await composer.sendMail({ from, to, subject, text, html, headers })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID()}`
      const draft = join(folder, `${name}${unfinished}`)
      await writeFile(draft, composed.message, { mode: 0o600, flag: 'wx', flush: true })
      await rename(draft, join(folder, `${name}${ending}`))
      pruning = pruning.catch(() => {}).then(() => removeOldest(folder))
      await pruning
      return { ok: true, answer: { isAccepted: true, code: null } }
    },
    close: () => composer.close(),
  }
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder)
  const mails = names.filter((name) => name.endsWith(ending)).toSorted()
  for (const name of mails.slice(0, -outboxLimit)) await rm(join(folder, name), { force: true })
}

/** Drafts of a process that was killed while it wrote. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(unfinished)) continue
    const draft = join(folder, name)
    const { mtimeMs } = await stat(draft)
    if (Date.now() - mtimeMs > draftLifetimeMs) await rm(draft, { force: true })
  }
}
