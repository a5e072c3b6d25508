// A thread that does what it is asked, for the tests of threads.
import { answerQuestions } from '#threads/answering.ts'

export type Work = { say: string } | 'work for ever' | 'take all memory' | 'fail' | 'name the environment'

answerQuestions((work: Work): string => {
  if (typeof work === 'object') return work.say
  if (work === 'fail') throw new Error('a fault')
  if (work === 'name the environment') return Object.keys(process.env).join()
  const held: number[][] = []
  for (;;) if (work === 'take all memory') held.push(Array.from({ length: 1000 }, (_, index) => index + held.length))
})
