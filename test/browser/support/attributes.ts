import type { Locator } from 'playwright-core'

/** The attribute of each element, in the order of the page; "" for an element without it. */
export async function attributesOf(elements: Locator, name: string): Promise<string[]> {
  const all = await elements.all()
  return Promise.all(all.map(async (element) => (await element.getAttribute(name)) ?? ''))
}
