// What axe-core cannot say of a page, because it needs another width, other spacing, or the focus on every element.
import { z } from 'zod'
import type { Page } from 'playwright-core'
import { settled } from './chromium.ts'

/** What a page does wrong, a line each with the criterion of WCAG 2.2. It stays as wide as it was. */
export async function faultsOf(page: Page): Promise<string[]> {
  const before = page.viewportSize() ?? { width: 1280, height: 900 }
  const found: string[] = []
  const look = async (script: string): Promise<void> => {
    found.push(...z.array(z.string()).parse(await page.evaluate(script)))
  }
  await look(named)
  await look(focused)
  // 400 % of a window of 1280 pixels.
  await page.setViewportSize({ width: 320, height: 640 })
  await page.evaluate(settled)
  await look(reflown)
  await look(focused)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.evaluate(settled)
  await look(spaced)
  await page.setViewportSize(before)
  await page.evaluate(settled)
  return found
}

const named = `(() => {
  const faults = []
  if (document.title.trim() === '') faults.push('2.4.2: the page has no title')
  if (!/^[a-z]{2}/.test(document.documentElement.lang)) faults.push('3.1.1: the page has no language')
  if (document.querySelectorAll('main').length !== 1) faults.push('1.3.1: the page has not one main part')
  return faults
})()`

const reflown = `(() => {
  const over = document.documentElement.scrollWidth - innerWidth
  const widest = [...document.querySelectorAll('body *')].findLast((each) => each.getBoundingClientRect().right > innerWidth)
  return over > 0 ? ['1.4.10: ' + over + ' px wider than 320: ' + widest?.outerHTML.slice(0, 160)] : []
})()`

/** Each element that takes the focus: is it seen there, is the focus drawn, and is it not below something else? */
const focused = `(() => {
  const faults = []
  const all = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
  const drawn = (element) => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor, textDecorationLine } = getComputedStyle(element)
    return [outlineStyle !== 'none' && outlineWidth !== '0px', boxShadow, borderColor, backgroundColor, textDecorationLine].join()
  }
  const area = (element) => element.labels?.[0] ?? element
  for (const element of [...document.querySelectorAll(all)].slice(0, 400)) {
    if (element.disabled || !element.checkVisibility({ checkVisibilityCSS: true }) || element.type === 'hidden') continue
    document.activeElement?.blur?.()
    const before = [drawn(element), drawn(area(element)), drawn(element.parentElement)].join()
    element.focus({ focusVisible: true })
    if (document.activeElement !== element) continue
    const after = [drawn(element), drawn(area(element)), drawn(element.parentElement)].join()
    const what = element.outerHTML.slice(0, 160)
    if (before === after) faults.push('2.4.7: the focus is not drawn on ' + what)
    const box = element.getBoundingClientRect()
    if (box.width < 2 || box.height < 2) continue
    const points = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]]
    const isCover = (top) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(top)
      return backgroundImage !== 'none' || !/, 0\\)$/.test(backgroundColor)
    }
    const seen = points.some(([x, y]) => {
      const stack = document.elementsFromPoint(box.left + box.width * x, box.top + box.height * y)
      const at = stack.findIndex((each) => element.contains(each) || each.contains(element) || area(element).contains(each))
      return at >= 0 && !stack.slice(0, at).some(isCover)
    })
    if (!seen) faults.push('2.4.11: the focus is hidden on ' + what)
  }
  document.activeElement?.blur?.()
  scrollTo(0, 0)
  return faults
})()`

/** With the spacing that readers may set (1.4.12), no text is cut off that was not before. */
const spaced = `(() => {
  const texts = [...document.querySelectorAll('body *')].filter((each) =>
    [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') &&
    each.getBoundingClientRect().width > 1 && each.checkVisibility({ checkVisibilityCSS: true }))
  const isCut = (each) => {
    for (let box = each; box !== null && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, textOverflow, position } = getComputedStyle(box)
      if (textOverflow === 'ellipsis') return false
      if (overflowX === 'hidden' || overflowX === 'clip') if (box.scrollWidth > box.clientWidth + 1) return true
      if (overflowY === 'hidden' || overflowY === 'clip') if (box.scrollHeight > box.clientHeight + 1) return true
      if (position === 'fixed') return false
    }
    return false
  }
  const before = new Set(texts.filter(isCut))
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const cut = texts.filter((each) => !before.has(each) && isCut(each)).map((each) => '1.4.12: cut off: ' + each.outerHTML.slice(0, 160))
  const over = document.documentElement.scrollWidth - innerWidth
  const widest = [...document.querySelectorAll('body *')].findLast((each) => each.getBoundingClientRect().right > innerWidth)
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  return over > 0 ? [...cut, '1.4.12: ' + over + ' px wider than the window: ' + widest?.outerHTML.slice(0, 160)] : cut
})()`
