/** Imported first by every process of tests: a warning of Node is a mistake of ours, and fails the test it comes in. */
process.on('warning', (warning) => {
  throw warning
})
