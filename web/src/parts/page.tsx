import { type ReactNode, createContext, use } from 'react'
import { Mark } from './icons.tsx'

/** What the titles of the window begin with, such as "2 down"; "" for nothing. */
const TitleStartContext = createContext('')
export const TitleStart = TitleStartContext.Provider

/** The head of every page: its name, also in the window's title, beside it what can be done, below it the lead. */
export function PageHead({ title, lead, action }: { title: string; lead?: ReactNode; action?: ReactNode }): ReactNode {
  const start = use(TitleStartContext)
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
      <title>{`${start === '' ? '' : `${start} · `}${title} · Perigee`}</title>
      <h1 className="py-0.5 text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
      {lead !== undefined && (
        <div className="order-1 w-full">
          <p className="max-w-2xl text-muted">{lead}</p>
        </div>
      )}
      {action}
    </header>
  )
}

/** A part of a page. */
export function Section({ title, lead, action, children }: SectionProps): ReactNode {
  return (
    <section className={cardClass}>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 px-5 py-4 sm:gap-x-6 sm:gap-y-3">
        {/* On a phone an action stands beside the title, which may take two lines, and the lead has the whole width below. */}
        <div className="max-w-xl max-sm:contents sm:flex-1 sm:basis-64">
          <h2 className="font-semibold max-sm:grow max-sm:basis-36 max-sm:self-center">{title}</h2>
          {lead !== undefined && <p className="text-sm text-muted max-sm:order-1 max-sm:w-full sm:mt-0.5">{lead}</p>}
        </div>
        {action}
      </div>
      {Boolean(children) && <div className="px-5 pb-5 empty:hidden">{children}</div>}
    </section>
  )
}

/** The card of a form that has a page of its own, which names it. */
export function FormCard({ children }: { children: ReactNode }): ReactNode {
  return <div className={`${cardClass} p-5`}>{children}</div>
}

/** Fields of a long form that belong together. */
export function FormPart({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div className="flex flex-col gap-4 border-line not-first:mt-2 not-first:border-t not-first:pt-5">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </div>
  )
}

const cardClass = 'mb-6 rounded-xl border border-line bg-surface'

type SectionProps = { title: string; lead?: ReactNode; action?: ReactNode; children?: ReactNode }

const FramedContext = createContext(false)
/** Around what is shown within a frame that has its own name and `main`. */
export const Framed = FramedContext.Provider

/** A page of its own, for readers who are not signed in; within a frame only what it says. */
export function Door(props: DoorProps): ReactNode {
  return use(FramedContext) ? <Inner {...props} /> : <Outer {...props} />
}

function Inner({ title, lead, children, below }: DoorProps): ReactNode {
  return (
    <div className="max-w-xl">
      <PageHead title={title} lead={lead} />
      {children !== undefined && <div className="flex flex-col items-start gap-5">{children}</div>}
      {below !== undefined && <p className="mt-5 text-sm text-muted">{below}</p>}
    </div>
  )
}

function Outer({ title, lead, children, below }: DoorProps): ReactNode {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 pt-[10vh] pb-10">
      <title>{`${title} · Perigee`}</title>
      <header className="mb-6 flex items-center gap-2 text-lg font-semibold tracking-tight">
        <Mark /> Perigee
      </header>
      <main className="w-full max-w-md">
        <div className="rounded-2xl border border-line bg-surface p-6 sm:p-8">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {lead !== undefined && <p className="mt-1.5 text-muted wrap-anywhere">{lead}</p>}
          {children !== undefined && <div className="mt-5 flex flex-col gap-5">{children}</div>}
        </div>
        {below !== undefined && <p className="mt-5 text-center text-sm text-muted">{below}</p>}
      </main>
    </div>
  )
}

type DoorProps = { title: string; lead?: ReactNode; children?: ReactNode; below?: ReactNode }

/**
 * For an action of several buttons: where they do not fit beside the title, they stand below the lead, on a phone closer
 * together, so that five take one line.
 */
export const actionsClass = 'flex flex-wrap gap-2 max-md:order-2 max-md:mt-2 max-sm:gap-1.5 max-sm:*:px-2'

/** For links within text. */
export const linkClass = 'text-accent-text underline underline-offset-2 hover:no-underline'
