# Puts the application's sources beside its node_modules, and takes away what is no longer there.
file(REMOVE_RECURSE ${TO}/src ${TO}/tests)
file(COPY ${FROM}/src ${FROM}/tests ${FROM}/index.html ${FROM}/tsconfig.json ${FROM}/vite.config.ts
     ${FROM}/vite.tests.ts ${FROM}/embed.mjs ${FROM}/guides.mjs DESTINATION ${TO})
