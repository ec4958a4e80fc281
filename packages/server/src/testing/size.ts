/**
 * How much of a load or of a search for counterexamples a test does. `npm test` takes a sample, so that it stays
 * short; `npm run test:full` does all of it.
 */
export function sized(full: number, sample: number): number {
  return process.env.TEST_SIZE === 'full' ? full : sample
}
