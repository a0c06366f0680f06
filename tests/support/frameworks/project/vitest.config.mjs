const jsdom = { environment: 'jsdom', include: ['story.vitest.mjs'] };

export default {
  test: {
    projects: [
      { test: { ...jsdom, name: 'as it is' } },
      { test: { ...jsdom, name: 'with a setup file', setupFiles: ['./jsdom-setup.cjs'] } },
    ],
  },
};
