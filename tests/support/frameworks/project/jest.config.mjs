const jsdom = { testEnvironment: 'jsdom', testMatch: ['<rootDir>/story.jest.cjs'] };

export default {
  projects: [
    { ...jsdom, displayName: 'as it is' },
    { ...jsdom, displayName: 'with a setup file', setupFiles: ['<rootDir>/jsdom-setup.cjs'] },
  ],
};
