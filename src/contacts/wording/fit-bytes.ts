import { oneLine } from '#core/language/one-line.ts'
import { listed } from './bundle-wording.ts'
import type { Wording } from './wording.ts'

/** The length at which alerts cut their texts (src/core/contacts/alerting.ts). */
const longest = 1000
/** Where each text of the longest alert has this length, any provider takes the message. */
const shortest = 15

/**
 * The body of a message with texts as long as `maxBytes` in UTF-8 admit. All of them are cut alike, between two
 * characters, so that none of the facts is lost.
 */
export function fitBytes(wording: Wording, maxBytes: number, bodyOf: (wording: Wording) => string): string {
  return bodyOf(fitWording(wording, (cut) => Buffer.byteLength(bodyOf(cut)) <= maxBytes))
}

/** The same for limits of other units: the longest texts that `fits` admits. */
export function fitWording(whole: Wording, fits: (cut: Wording) => boolean): Wording {
  const wording = fitBundle(whole, fits)
  let length = longest
  let cut = cutTexts(wording, length)
  while (!fits(cut) && length > shortest) {
    length = Math.floor(length / 2)
    cut = cutTexts(wording, length)
  }
  return cut
}

/** Numbers of alerts that are tried, from the most that a bundle names. */
const fewer = [40, 30, 20, 15, 10, 7, 5, 3, 2]

/** Names as many alerts of a bundle as `fits` admits, and one at least; a single alert stays as it is. */
export function fitBundle(wording: Wording, fits: (cut: Wording) => boolean): Wording {
  const { bundle } = wording
  if (bundle === undefined || fits(wording)) return wording
  const naming = (count: number): Wording => ({
    ...wording,
    facts: listed(bundle.alerts.slice(0, count), bundle.total),
  })
  const count = fewer.find((one) => fits(naming(one)))
  return naming(count ?? 1)
}

function cutTexts({ headline, lead, facts, ...rest }: Wording, length: number): Wording {
  return {
    ...rest,
    headline: oneLine(headline, length),
    lead: oneLine(lead, length),
    facts: facts.map(({ label, value }) => ({ label: oneLine(label, length), value: oneLine(value, length) })),
  }
}
