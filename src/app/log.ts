import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, pino } from 'pino'
import type { LogLevel } from '#config/config.ts'
import type { Subject, Within } from '#core/log-lines.ts'
import { shownDetails, shownText } from './log-details.ts'

type Write = (message: string, details?: Record<string, unknown>) => void

/** Errors belong in `details.error`: they are written with stack and cause. */
export type Log = {
  debug: Write
  info: Write
  warn: Write
  error: Write
  /** Lines that are written until the work ends say what it is about. */
  within: Within
}

/** `isOver`: what a request or a job leaves behind, such as a connection, serves others. */
type Matter = { readonly fields: Partial<Subject>; isOver: boolean }

/**
 * JSON lines on stderr, which leaves stdout to the lines for people. Written synchronously, so that the last words
 * before an exit are not lost.
 */
export function createLog(options: { level: LogLevel; fileDescriptor?: number }): Log {
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: options.fileDescriptor ?? 2, sync: true }),
  )
  const matters = new AsyncLocalStorage<Matter>()
  return {
    debug: writer(logger, 'debug', matters),
    info: writer(logger, 'info', matters),
    warn: writer(logger, 'warn', matters),
    error: writer(logger, 'error', matters),
    within: (subject, work) => {
      const matter = { fields: { ...fieldsOf(matters), ...subject }, isOver: false }
      const end = (): void => void (matter.isOver = true)
      const done = matters.run(matter, work)
      if (done instanceof Promise) void done.then(end, end)
      else end()
      return done
    },
  }
}

function writer(logger: Logger, level: LogLevel, matters: AsyncLocalStorage<Matter>): Write {
  return (message, details = {}) => {
    if (!logger.isLevelEnabled(level)) return
    logger[level](shownDetails({ ...fieldsOf(matters), ...details }), shownText(message))
  }
}

function fieldsOf(matters: AsyncLocalStorage<Matter>): Partial<Subject> {
  const matter = matters.getStore()
  return matter === undefined || matter.isOver ? {} : matter.fields
}
