import { parentPort } from 'node:worker_threads'

/** Makes this thread answer what `openThread` asks of it; returns `answer`. An error that is thrown ends the thread. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer,
): (question: Question) => Answer {
  parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)))
  return answer
}
