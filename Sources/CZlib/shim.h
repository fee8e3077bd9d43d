// zlib, which the program links in any case: the HTTP client unpacks answers with it.
#pragma once

#include <zlib.h>
