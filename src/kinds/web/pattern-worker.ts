// The code of the thread of pattern-thread.ts: says of each text whether its pattern is found in it.
import { RE2JS } from 're2js'
import { answerQuestions } from '#threads/answering.ts'
import type { PatternQuestion } from './pattern-thread.ts'

answerQuestions((questions: readonly PatternQuestion[]): boolean[] =>
  questions.map(({ pattern, text }) => RE2JS.compile(pattern).test(text)),
)
