declare module '*.js';
