// The code of the thread of record-reader.ts: answers some records of a feed with what they say.
import { readRecordTexts } from '#advisories/record-reading.ts'
import { answerQuestions } from '#threads/answering.ts'
import type { RecordAnswer, RecordQuestion } from './record-reader.ts'

answerQuestions(({ source, texts }: RecordQuestion): RecordAnswer => readRecordTexts(source, texts))
