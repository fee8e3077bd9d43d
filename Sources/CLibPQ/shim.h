// What Swift needs of libpq, and nothing else.
#pragma once

#include <libpq-fe.h>
