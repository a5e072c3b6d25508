import { Trans as LinguiTrans, type TransProps } from '@lingui/react'
import { Fragment, type ReactNode, createElement } from 'react'

/**
 * The macro turns every `<Trans>` into this component (lingui.config.ts). Lingui takes tags anywhere in the sentence
 * for its own, so a name like "<b>Shop</b>" would lose them: a value with a tag goes in as an element, which is shown
 * as it is.
 */
export function Trans({ values = {}, ...props }: TransProps): ReactNode {
  const shown = Object.entries(values).map(([name, value]) => [name, asElement(value)])
  return createElement(LinguiTrans, { ...props, values: Object.fromEntries(shown) })
}

function asElement(value: unknown): unknown {
  return typeof value === 'string' && value.includes('<') ? createElement(Fragment, null, value) : value
}
