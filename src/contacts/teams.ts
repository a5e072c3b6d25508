import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, httpDestinationProblem, labelProblem } from './destination.ts'
import { fitBytes } from '#contacts/wording/fit-bytes.ts'
import { judgeHttp, refusal } from './judge.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { readProviderJson } from './provider-json.ts'
import { userAgent } from './webhook.ts'
import { type Wording, linksOf, wordingOf } from '#contacts/wording/wording.ts'

const options = z.strictObject({
  webhook_url: addressText.describe('The address that a workflow shows which waits for a webhook.'),
})
type Options = z.infer<typeof options>

/**
 * A workflow of Microsoft Teams that sends webhook alerts to a channel or chat
 * (https://learn.microsoft.com/en-us/connectors/teams/#microsoft-teams-webhook). Its address has no fixed host.
 */
export const teams = defineHttpKind({
  name: 'teams',
  options,
  secretOptions: ['webhook_url'],
  destinationProblem: labelProblem,
  optionProblems: ({ webhook_url: url }, isForbidden) => {
    const problem = httpDestinationProblem(url, isForbidden)
    return problem === null ? {} : { webhook_url: problem }
  },
  addressOf: ({ webhook_url: url }) => url,
  message: teamsMessage,
  judge: judgeTeams,
})

/** Teams takes "approximately 28 KB" (https://learn.microsoft.com/en-us/connectors/teams/). */
const maxMessageBytes = 28_000

export function teamsMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  return {
    via: 'http',
    url: context.options.webhook_url,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: fitBytes(wordingOf(alert, context), maxMessageBytes, (wording) =>
      JSON.stringify({
        type: 'message',
        attachments: [
          { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: cardOf(wording) },
        ],
      }),
    ),
  }
}

/** Colours of a container, as the theme of the reader has them. */
const styles: Readonly<Record<Wording['tone'], string>> = {
  bad: 'attention',
  warning: 'warning',
  good: 'good',
  plain: 'emphasis',
}

function cardOf({ tone, headline, lead, facts, ...rest }: Wording) {
  const actions = linksOf(rest).map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url }))
  const title = textOf([{ text: headline, weight: 'Bolder', size: 'Medium' }])
  const lines = facts.map(({ label, value }) =>
    textOf([{ text: `${label}: `, weight: 'Bolder' }, { text: value }], 'Small'),
  )
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'Container', style: styles[tone], bleed: true, items: [title] }, textOf([{ text: lead }]), ...lines],
    ...(actions.length === 0 ? {} : { actions }),
    msteams: { width: 'Full' },
  }
}

type Run = { text: string; weight?: string; size?: string }

/**
 * A RichTextBlock has no Markdown, unlike a TextBlock, so that no name of a monitor becomes mark-up or a link. A
 * mention needs an entity of the card, which has none. Double braces could be taken for a time to be shown in the
 * reader's zone (https://learn.microsoft.com/en-us/adaptive-cards/authoring-cards/text-features).
 */
function textOf(runs: readonly Run[], spacing = 'Default') {
  const inlines = runs.map((run) => ({ type: 'TextRun', ...run, text: run.text.replaceAll('{{', '{\u200b{') }))
  return { type: 'RichTextBlock', inlines, spacing }
}

const failure = z.object({ error: z.object({ code: z.string(), message: z.string().default('') }) })

/**
 * A workflow answers 202. One that was deleted is gone, which Power Automate says by 404 or, while it remembers it, by
 * 400; one that is switched off answers 400 as well, and can be switched on.
 */
function judgeTeams(answer: HttpAnswer): Judgement {
  const { status } = answer
  const { code, message } = readProviderJson(failure, answer.body)?.error ?? { code: '', message: '' }
  const isOff = status === 400 && code === 'WorkflowTriggerIsNotEnabled'
  const isGone = (status === 404 && code === 'WorkflowNotFound') || (isOff && message.includes("state 'Deleted'"))
  if (isGone || status === 413 || (status === 400 && !isOff))
    return { outcome: 'failed', error: refusal(answer), isGone }
  return judgeHttp(answer)
}
