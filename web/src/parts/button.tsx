import { Link, type LinkProps } from '@tanstack/react-router'
import type { ButtonHTMLAttributes, ReactNode } from 'react'

export type Look = 'primary' | 'secondary' | 'danger' | 'quiet'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'disabled'> & {
  look?: Look
  isWide?: boolean
  /** Something is under way: another press does nothing. The button keeps the focus. */
  isBusy?: boolean
  /** For a short word: has room for the sign of `isBusy`, so that nothing beside the button moves. */
  isRoomy?: boolean
}

export function Button({
  look = 'secondary',
  isWide = false,
  isBusy = false,
  isRoomy = false,
  ...props
}: ButtonProps): ReactNode {
  const { onClick, type = 'button', children, ...others } = props
  return (
    <button
      {...others}
      type={type}
      className={`${classOf(look, isWide)} ${isRoomy ? 'min-w-21' : ''}`}
      aria-disabled={isBusy || others['aria-disabled'] === true}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    >
      {isBusy && <span aria-hidden="true" className={spinner} />}
      {children}
    </button>
  )
}

type ButtonLinkProps = {
  to: NonNullable<LinkProps['to']>
  search?: NonNullable<LinkProps['search']>
  look?: Look
  isWide?: boolean
  children: ReactNode
}

export function ButtonLink({ look = 'secondary', isWide = false, children, ...to }: ButtonLinkProps): ReactNode {
  return (
    <Link {...to} className={classOf(look, isWide)}>
      {children}
    </Link>
  )
}

const spinner = 'size-3.5 animate-spin rounded-full border-2 border-current border-t-transparent'

const looks: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-white hover:bg-accent-strong border-transparent',
  secondary:
    'bg-surface text-text hover:bg-sunken border-edge/60 aria-pressed:border-accent-text aria-pressed:bg-accent-soft aria-pressed:text-accent-text',
  danger: 'bg-surface text-bad hover:bg-bad-soft border-bad/50',
  quiet: 'text-muted hover:text-text hover:bg-sunken border-transparent',
}

function classOf(look: Look, isWide: boolean): string {
  const width = isWide ? 'w-full' : ''
  return `inline-flex min-h-9 items-center justify-center gap-2 rounded-lg border px-3.5 py-1.5 text-sm font-medium transition-colors aria-disabled:opacity-70 ${looks[look]} ${width}`
}
