/** Asks the engine a question and reads the answer as its row in the table of questions says. */
import {
  readAnswer,
  type Question,
  type QuestionAnswer,
  type QuestionArgs,
  type QuestionFacts,
} from "./engineQuestions.ts";

/** A source of answers as the core gives them: the engine, a reader, or a layer above them. */
export interface QuestionSource {
  ask<Q extends Question>(
    question: Q,
    args: QuestionArgs<Q>,
    signal?: AbortSignal,
  ): Promise<QuestionAnswer<Q>>;
}

/** Asks, and checks and parses the answer. Errors: those of the source, `codec/bad-json`. */
export async function askFacts<Q extends Question>(
  source: QuestionSource,
  question: Q,
  args: QuestionArgs<Q>,
  signal?: AbortSignal,
): Promise<QuestionFacts<Q>> {
  return readAnswer(question, await source.ask(question, args, signal));
}
