import { type Logger, pino, stdSerializers } from 'pino'
import type { LogLevel } from '#config/config.ts'

type Write = (message: string, details?: Record<string, unknown>) => void

/** Errors belong in `details.error`: they are written with stack and cause. */
export type Log = { debug: Write; info: Write; warn: Write; error: Write }

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
      serializers: { error: stdSerializers.errWithCause },
    },
    pino.destination({ dest: options.fileDescriptor ?? 2, sync: true }),
  )
  return {
    debug: writer(logger, 'debug'),
    info: writer(logger, 'info'),
    warn: writer(logger, 'warn'),
    error: writer(logger, 'error'),
  }
}

function writer(logger: Logger, level: LogLevel): Write {
  return (message, details = {}) => logger[level](details, message)
}
