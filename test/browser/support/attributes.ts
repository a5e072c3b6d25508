import type { Locator } from 'playwright-core'

/** Of each of the elements, in their order in the page; "" where one has it not. */
export async function attributesOf(elements: Locator, name: string): Promise<string[]> {
  const all = await elements.all()
  return Promise.all(all.map(async (element) => (await element.getAttribute(name)) ?? ''))
}
