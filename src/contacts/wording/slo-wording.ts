import type { SloAlert } from '#core/contacts/alerting.ts'
import { type Fact, durationText, factsOf, timeText } from './facts.ts'

type Words = { tone: 'bad' | 'warning' | 'good'; headline: string; lead: string; facts: Fact[] }

/** Of a public alert. */
export function sloWording({ type, data: { slo, episode } }: SloAlert): Words {
  const { name, objective, window_days: days, burn_rate: rate, burn_seconds: seconds } = slo
  const goal = `${objective} % over ${daysText(days)}`
  const over = durationText((seconds ?? 0) * 1000)
  const facts = factsOf([
    ['Objective', goal],
    ['Attained', slo.attained === null ? null : `${slo.attained} %`],
    ['Budget left', leftText(slo)],
    ['Burn rate', rate === null ? null : `${rate} times the sustainable rate, over ${over}`],
    ['Used up at this rate', slo.ends_at === null ? null : timeText(slo.ends_at)],
    [episode.ended_at === null ? 'Since' : 'From', timeText(episode.started_at)],
    ['Until', episode.ended_at === null ? null : timeText(episode.ended_at)],
  ])
  if (type === 'slo.recovered')
    return {
      tone: 'good',
      headline: `Within budget again: ${name}`,
      lead: `The error budget of ${name} is no longer burning too fast. ${leftSentence(slo)}`,
      facts,
    }
  if (slo.reason === 'used_up')
    return {
      tone: 'bad',
      headline: `Error budget used up: ${name}`,
      lead: `${name} was down for longer than its objective of ${goal} allows.`,
      facts,
    }
  return {
    tone: 'warning',
    headline: `Error budget burning too fast: ${name}`,
    lead: `In the last ${over}, the error budget of ${name} burned at ${rate ?? 0} times the sustainable rate. ${leftSentence(slo)}`,
    facts,
  }
}

type Left = SloAlert['data']['slo']

/** Of several monitors the time is the sum of theirs, which the percent puts in proportion. */
function leftText({ budget_left_seconds: seconds, budget_left_percent: percent }: Left): string {
  return seconds <= 0 ? 'none' : `${percent} % (${durationText(seconds * 1000)})`
}

function leftSentence({ budget_left_seconds: seconds, budget_left_percent: percent }: Left): string {
  return seconds <= 0 ? 'None of the budget is left.' : `${percent} % of the budget is left.`
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}
