export default {
  testMatch: ['**/cloud.test.mjs'],
  testEnvironment: 'node',
  // The server's sources are modules with types.
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': 'kumoi/jest-transform' },
  transformIgnorePatterns: [],
}
