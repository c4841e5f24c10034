import config from '../../../vitest.config.ts';

/** The projects as they are, but with one file in place of their tests: `TEST_FILE`. */
const projects = config.test?.projects?.map((project) => ({
  ...(project as object),
  test: { ...(project as { test: object }).test, include: [process.env.TEST_FILE], exclude: [] },
}));

export default { ...config, test: { ...config.test, projects } };
