import type { Page } from 'playwright-core'

/** As base64, a third more. */
const maxPictureBytes = 64 * 1024
const qualities = [60, 35, 15, 5]
const timeout = 1_000

/** A JPEG of what a visitor would see, in base64, as good as has room; null where none can be taken. */
export async function takePicture(page: Page): Promise<string | null> {
  for (const quality of qualities) {
    const picture = await page.screenshot({ type: 'jpeg', quality, timeout, animations: 'disabled' }).catch(() => null)
    if (picture === null) return null
    if (picture.length <= maxPictureBytes) return picture.toString('base64')
  }
  return null
}
