import { createHash } from 'node:crypto'
import { z } from 'zod'
import { fail, invalidFields } from '#core/language/error.ts'
import { type ImageKind, type StoredImage, readPageImage } from '#core/status-pages/page-image.ts'
import { faviconInputSchema, logoInputSchema, statusPageSchema } from '#core/status-pages/status-page.ts'
import { deleteImage, putImage, readPicture } from '#store/status-pages/images.ts'
import type { StatusPage } from '#store/status-pages/status-pages.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { findTarget, toPageRecord } from './status-pages.ts'

const forPrograms = { tag: 'Status pages and maintenance', surface: 'programs', subject: 'status_page' } as const
const put = { ...forPrograms, method: 'PUT', scope: 'write', errors: [401, 403, 404, 422], find: findTarget } as const
const remove = { ...forPrograms, method: 'DELETE', scope: 'write', errors: [401, 403, 404], find: findTarget } as const
const shown = {
  status: 200,
  description: 'The page as it is now.',
  schema: z.strictObject({ data: statusPageSchema }),
} as const

const putLogo = defineOperation({
  ...put,
  name: 'set_status_page_logo',
  path: '/status-pages/{id}/logo',
  summary: 'Set the logo of a status page; for a public page, also in mails to its subscribers',
  body: { schema: logoInputSchema, isRequired: true, schemaName: 'StatusPageLogoInput' },
  success: shown,
  run: (context, { target, body }) => keep(context, target, { kind: 'logo', ...body }),
})

const deleteLogo = defineOperation({
  ...remove,
  name: 'delete_status_page_logo',
  path: '/status-pages/{id}/logo',
  summary: 'Remove the logo of a status page',
  success: { status: 204, description: 'The page has no logo.' },
  run: (context, { target }) => drop(context, target, 'logo'),
})

const putFavicon = defineOperation({
  ...put,
  name: 'set_status_page_favicon',
  path: '/status-pages/{id}/favicon',
  summary: 'Set an icon for a status page instead of the one that shows its state',
  body: { schema: faviconInputSchema, isRequired: true, schemaName: 'StatusPageFaviconInput' },
  success: shown,
  run: (context, { target, body }) => keep(context, target, { kind: 'favicon', alt: '', ...body }),
})

const deleteFavicon = defineOperation({
  ...remove,
  name: 'delete_status_page_favicon',
  path: '/status-pages/{id}/favicon',
  summary: 'Remove the icon of a status page, so that the icon shows its state again',
  success: { status: 204, description: 'The icon was removed.' },
  run: (context, { target }) => drop(context, target, 'favicon'),
})

const pictureAddress = z.string().nullable().describe('As a data: address; null where there is none.')

const show = defineOperation({
  ...forPrograms,
  tag: 'Console',
  surface: 'console',
  name: 'get_status_page_images',
  method: 'GET',
  path: '/status-pages/{id}/images',
  scope: 'read',
  summary: 'Show the pictures of a status page, of a draft too',
  errors: [401, 404],
  success: {
    status: 200,
    description: 'The pictures.',
    schema: z.strictObject({ data: z.strictObject({ logo: pictureAddress, favicon: pictureAddress }) }),
  },
  find: findTarget,
  run: async ({ services }, { target }) => ({ status: 200, body: { data: await readPictures(services, target) } }),
})

export const statusImageOperations = [putLogo, deleteLogo, putFavicon, deleteFavicon, show]

/** The pictures of a page as `data:` addresses, for where its own addresses are not open. */
export async function readPictures(
  { database }: Pick<Services, 'database'>,
  page: StatusPage,
): Promise<Record<ImageKind, string | null>> {
  const read = async (image: StoredImage | null): Promise<string | null> => {
    const picture = image === null ? null : await readPicture(database, page, image.hash)
    return image === null || picture === null ? null : `data:${image.mediaType};base64,${picture.toString('base64')}`
  }
  const [logo, favicon] = await Promise.all([read(page.logo), read(page.favicon)])
  return { logo, favicon }
}

type Sent = { kind: ImageKind; image: string; alt: string }

async function keep(context: Context, { id }: StatusPage, { kind, image: encoded, alt }: Sent) {
  const { caller, services, noteChange } = context
  const read = readPageImage(kind, Buffer.from(encoded, 'base64'))
  if ('problem' in read) throw invalidFields({ image: [read.problem] })
  const { image } = read
  noteChange({ details: { kind } })
  const hash = createHash('sha256').update(image.bytes).digest('hex').slice(0, hashLength)
  const isKept = await services.database.transaction((tx) =>
    putImage(tx, { workspaceId: caller.workspaceId, id }, { ...image, kind, hash, alt }),
  )
  if (!isKept) throw fail('not_found', 'There is no such status page in this workspace.')
  const page = await findTarget(context, { id })
  return { status: 200, body: { data: toPageRecord(page, services) } }
}

/** 128 bits. */
const hashLength = 32

async function drop({ caller, services, noteChange }: Context, { id }: StatusPage, kind: ImageKind) {
  noteChange({ details: { kind } })
  const { workspaceId } = caller
  await services.database.transaction(async (tx) => {
    if (!(await deleteImage(tx, { workspaceId, id }, kind))) noteChange('nothing')
  })
  return { status: 204, body: undefined }
}
