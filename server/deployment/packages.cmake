# Three Debian packages, built with the preset `package`:
#   cpack -G DEB --config build/package/CPackConfig.cmake
# Each has what `cmake --install` puts under the prefix, and what Debian wants of a package, at places
# that are no prefix's: the components debian_*, which nobody else installs.
set(debian ${CMAKE_CURRENT_LIST_DIR}/debian)

set(CPACK_PACKAGE_NAME freshet)
set(CPACK_PACKAGE_VENDOR Freshet)
set(CPACK_PACKAGE_CONTACT "The Freshet authors <freshet@example.org>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

# Compressed without a time in it, so that the packages can be made again byte for byte.
set(changelog ${PROJECT_BINARY_DIR}/changelog.gz)
execute_process(COMMAND gzip -9nc ${debian}/changelog OUTPUT_FILE ${changelog}
                COMMAND_ERROR_IS_FATAL ANY)

# What the program says of itself.
set(said ${PROJECT_BINARY_DIR}/said)
if(FRESHET_SERVER)
  set(program $<TARGET_FILE:freshet_program>)
  add_custom_command(
    OUTPUT ${said}/freshet.1.gz
    COMMAND ${CMAKE_COMMAND} -E make_directory ${said}
    COMMAND ${program} manual | gzip -9n > ${said}/freshet.1.gz
    COMMAND ${program} completion bash > ${said}/freshet
    COMMAND ${program} completion zsh > ${said}/_freshet
    COMMAND ${program} completion fish > ${said}/freshet.fish
    DEPENDS freshet_program VERBATIM)
  add_custom_target(freshet_manual ALL DEPENDS ${said}/freshet.1.gz)
endif()

function(freshet_package component name section description)
  string(TOUPPER ${component} upper)
  foreach(part ${component} debian_${component})
    string(TOUPPER ${part} upper_part)
    set(CPACK_COMPONENT_${upper_part}_GROUP ${component} PARENT_SCOPE)
  endforeach()
  list(APPEND CPACK_COMPONENTS_ALL ${component} debian_${component})
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${description}" PARENT_SCOPE)
  install(FILES ${debian}/copyright ${changelog} DESTINATION /usr/share/doc/${name}
          COMPONENT debian_${component} EXCLUDE_FROM_ALL)
endfunction()

freshet_package(server freshet net "The server and the command line.
Microblogs, web search, pages as markdown, forums, short video and news
behind one key, one error model and one JSON shape, with accounts, credits
and a dashboard.")
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS
    "systemd | systemd-standalone-sysusers | systemd-sysusers")
set(CPACK_DEBIAN_SERVER_PACKAGE_RECOMMENDS "poppler-utils, bubblewrap, ca-certificates")
set(CPACK_DEBIAN_SERVER_PACKAGE_SUGGESTS "chromium-headless-shell | chromium")
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA
    "${debian}/postinst;${debian}/prerm;${debian}/postrm;${debian}/conffiles")
install(FILES ${said}/freshet.1.gz DESTINATION /usr/share/man/man1 COMPONENT debian_server
        EXCLUDE_FROM_ALL)
install(FILES ${said}/freshet DESTINATION /usr/share/bash-completion/completions
        COMPONENT debian_server EXCLUDE_FROM_ALL)
install(FILES ${said}/_freshet DESTINATION /usr/share/zsh/vendor-completions
        COMPONENT debian_server EXCLUDE_FROM_ALL)
install(FILES ${said}/freshet.fish DESTINATION /usr/share/fish/vendor_completions.d
        COMPONENT debian_server EXCLUDE_FROM_ALL)
install(FILES server/deployment/freshet.service DESTINATION /lib/systemd/system
        COMPONENT debian_server EXCLUDE_FROM_ALL)
install(FILES ${debian}/freshet.sysusers DESTINATION /usr/lib/sysusers.d RENAME freshet.conf
        COMPONENT debian_server EXCLUDE_FROM_ALL)
install(FILES server/deployment/nginx.conf server/deployment/Caddyfile server/deployment/haproxy.cfg
              server/monitoring/freshet.rules.yml server/monitoring/grafana.json
        DESTINATION /usr/share/doc/freshet/examples COMPONENT debian_server EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_BINARY_DIR}/guides DESTINATION /usr/share/doc/freshet COMPONENT debian_server
        EXCLUDE_FROM_ALL)
install(FILES server/deployment/freshet.toml DESTINATION /etc/freshet COMPONENT debian_server
        EXCLUDE_FROM_ALL)

freshet_package(runtime libfreshet1 libs "The C ABI.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${debian}/triggers)

freshet_package(dev libfreshet-dev libdevel "Headers and the C++ library.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libfreshet1 (= ${PROJECT_VERSION}), libboost-json1.81-dev, libcurl4-openssl-dev, libssl-dev, \
libsqlite3-dev, libicu-dev, zlib1g-dev, libbrotli-dev, libexpat1-dev, libargon2-dev, libfido2-dev, \
libwslay-dev, libseccomp-dev, libpq-dev, libhiredis-dev, libmd4c-dev")

include(CPack)
