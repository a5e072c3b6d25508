import { createPageLanguages } from '#core/status-pages/page-languages.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { readPictures } from '#operations/status-pages/images.ts'
import { readStatusModel } from '#operations/status-pages/public-page.ts'
import { createStatusAssets } from './status-assets.ts'
import { renderStatusPage } from './status-page.ts'

export type StatusPreviewOptions = Pick<Services, 'database' | 'publicUrl' | 'sendsMail'> & { now: () => Date }

/**
 * Makes a page anew as its readers see it, for members of its workspace, drafts too, and while one is written. Nothing of it is
 * kept.
 */
export function createStatusPreview(options: StatusPreviewOptions): Services['previewStatusPage'] {
  const { database, publicUrl, sendsMail: canSubscribe, now } = options
  const assets = createStatusAssets()
  const texts = createPageLanguages()
  return async (page, monitors) => {
    const base = `/status/${page.slug}`
    // Whose browser a reader will have is not known yet.
    const language = page.language === 'auto' ? 'en' : page.language
    const read = { language, i18n: texts(language), chosen: null }
    const pictures = await readPictures({ database }, page)
    const place = { base, url: `${publicUrl}${base}`, canSubscribe, assets, ...read, isPreview: true, pictures }
    return renderStatusPage(
      await readStatusModel({ database }, page, { now: now(), ...(monitors && { monitors }) }),
      place,
    )
  }
}
