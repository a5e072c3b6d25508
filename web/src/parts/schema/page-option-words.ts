import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

export type OptionWords = { label: MessageDescriptor; hint?: MessageDescriptor }

/** Options of pages that a browser visits. */
export const pageOptionWords: Readonly<Record<string, OptionWords>> = {
  action: { label: msg`Action` },
  console_errors: {
    label: msg`Errors in the console`,
    hint: msg`What they mean. They are counted in any case.`,
  },
  device: { label: msg`Device`, hint: msg`A phone has a small screen, and is touched.` },
  element: {
    label: msg`Element`,
    hint: msg`A CSS selector, or what is read on it, such as text=Sign in. Of several the first.`,
  },
  failed_requests: {
    label: msg`Requests that failed`,
    hint: msg`What those mean that have no answer, or a status of 400 or more. They are counted in any case.`,
  },
  max_cls: {
    label: msg`Highest layout shift`,
    hint: msg`Cumulative Layout Shift: Google calls 0.1 good. Degraded above it. Leave it empty for no limit.`,
  },
  max_lcp_ms: {
    label: msg`Largest paint at most after (ms)`,
    hint: msg`Largest Contentful Paint: Google calls 2500 good. Degraded above it. Leave it empty for no limit.`,
  },
  max_load_ms: {
    label: msg`Loaded at most after (ms)`,
    hint: msg`Degraded above it. Leave it empty for no limit.`,
  },
  script: {
    label: msg`Script`,
    hint: msg`A program in JavaScript that runs after the steps, with page, context and expect of Playwright. It finds the secrets as secrets.name. Only where the operator of this installation allows scripts.`,
  },
}
