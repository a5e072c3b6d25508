// What a story asks of a person, counted as it happens.
import type { Locator, Page } from 'playwright-core'

export type Effort = { clicks: number; fields: number }

/** A person at a page, by the trusted events that the browser gets: nothing is counted by the story itself. */
export type CountedPerson = {
  click: (target: Locator) => Promise<void>
  type: (target: Locator, text: string) => Promise<void>
  effort: () => Promise<Effort>
}

/** The count goes on when the page is loaded anew, and is of this tab alone. */
export async function countEffort(page: Page): Promise<CountedPerson> {
  await page.addInitScript(counting)
  return {
    click: (target) => target.click(),
    // Every letter is typed, so that what a page proposes meanwhile comes as it would.
    type: async (target, text) => {
      await target.focus()
      await page.keyboard.press('Control+a')
      await target.pressSequentially(text)
    },
    effort: () => page.evaluate<Effort>(read),
  }
}

const key = 'story.effort'

/** A press of Enter that stands for a click makes a click event, too. A label's click on its field is one click. */
const counting = `{
  const key = ${JSON.stringify(key)}
  const held = () => JSON.parse(sessionStorage.getItem(key) ?? '{"clicks":0,"fields":[]}')
  const keep = (next) => sessionStorage.setItem(key, JSON.stringify(next))
  addEventListener('click', (event) => {
    if (event.isTrusted) keep({ ...held(), clicks: held().clicks + 1 })
  }, true)
  addEventListener('input', ({ isTrusted, target }) => {
    const isTyped = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !/^(checkbox|radio)$/.test(target.type))
    const field = location.pathname + location.search + ' ' + target.name
    if (isTrusted && isTyped && !held().fields.includes(field)) keep({ ...held(), fields: [...held().fields, field] })
  }, true)
}`

const read = `(() => {
  const { clicks, fields } = JSON.parse(sessionStorage.getItem(${JSON.stringify(key)}) ?? '{"clicks":0,"fields":[]}')
  return { clicks, fields: fields.length }
})()`
