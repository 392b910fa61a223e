// Bodies for the built-in functions of OpenCL C that the simulated device has. Declared by clang
// itself, so overloads resolve as on any device; what has no body here is refused by its name.
// Compiled to LLVM bitcode when the simulator is built; a kernel gets the functions that it calls.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define BUILTIN __attribute__((overloadable, always_inline))
#define BUILTIN_CONST __attribute__((overloadable, always_inline, const))

// ---- Work-items and barriers: execution/devices/simulated/executor.cc
uint irate_query(uint query);
__attribute__((convergent)) void irate_barrier(uint flags);
#define QUERY(dimension, what) ((dimension) < 3 ? irate_query(((dimension) << 2) | (what)) : (what) >= 2)
BUILTIN_CONST size_t get_local_id(uint d) { return QUERY(d, 0); }
BUILTIN_CONST size_t get_group_id(uint d) { return QUERY(d, 1); }
BUILTIN_CONST size_t get_local_size(uint d) { return QUERY(d, 2); }
BUILTIN_CONST size_t get_num_groups(uint d) { return QUERY(d, 3); }
BUILTIN_CONST size_t get_global_size(uint d) { return get_local_size(d) * get_num_groups(d); }
BUILTIN_CONST size_t get_global_offset(uint d) { return 0; }
BUILTIN_CONST uint get_work_dim(void) { return 3; }
BUILTIN_CONST size_t get_global_id(uint d) {
  return get_group_id(d) * get_local_size(d) + get_local_id(d);
}
__attribute__((overloadable, always_inline, convergent)) void barrier(cl_mem_fence_flags flags) {
  irate_barrier(flags);
}
BUILTIN void mem_fence(cl_mem_fence_flags flags) {}
BUILTIN void read_mem_fence(cl_mem_fence_flags flags) {}
BUILTIN void write_mem_fence(cl_mem_fence_flags flags) {}

// ---- Lists of types
#define SIZES(M, T) M(T) M(T##2) M(T##3) M(T##4) M(T##8) M(T##16)
#define FLOATS(M) SIZES(M, float) SIZES(M, double) SIZES(M, half)
#define SIGNED(M) SIZES(M, char) SIZES(M, short) SIZES(M, int) SIZES(M, long)
#define UNSIGNED(M) SIZES(M, uchar) SIZES(M, ushort) SIZES(M, uint) SIZES(M, ulong)
#define INTEGERS(M) SIGNED(M) UNSIGNED(M)

// ---- Floating point
#define DEFINE1(T, NAME, F) BUILTIN_CONST T NAME(T x) { return __builtin_elementwise_##F(x); }
#define MATH1(T)                                                                              \
  DEFINE1(T, sqrt, sqrt) DEFINE1(T, exp, exp) DEFINE1(T, exp2, exp2) DEFINE1(T, exp10, exp10) \
  DEFINE1(T, log, log) DEFINE1(T, log2, log2) DEFINE1(T, log10, log10) DEFINE1(T, sin, sin)   \
  DEFINE1(T, cos, cos) DEFINE1(T, tan, tan) DEFINE1(T, sinh, sinh) DEFINE1(T, cosh, cosh)     \
  DEFINE1(T, tanh, tanh) DEFINE1(T, asin, asin) DEFINE1(T, acos, acos)                        \
  DEFINE1(T, atan, atan) DEFINE1(T, floor, floor) DEFINE1(T, ceil, ceil)                      \
  DEFINE1(T, trunc, trunc) DEFINE1(T, round, round) DEFINE1(T, rint, rint)                    \
  DEFINE1(T, fabs, abs)
FLOATS(MATH1)
#define DEFINE2(T, NAME, F) \
  BUILTIN_CONST T NAME(T x, T y) { return __builtin_elementwise_##F(x, y); }
#define MATH2(T)                                                                             \
  DEFINE2(T, pow, pow) DEFINE2(T, fmod, fmod) DEFINE2(T, fmin, minnum)                       \
  DEFINE2(T, fmax, maxnum) DEFINE2(T, copysign, copysign) DEFINE2(T, atan2, atan2)           \
  BUILTIN_CONST T fma(T x, T y, T z) { return __builtin_elementwise_fma(x, y, z); }          \
  BUILTIN_CONST T mad(T x, T y, T z) { return x * y + z; }                                   \
  BUILTIN_CONST T rsqrt(T x) { return (T)1 / __builtin_elementwise_sqrt(x); }                \
  BUILTIN_CONST T min(T x, T y) { return y < x ? y : x; }                                    \
  BUILTIN_CONST T max(T x, T y) { return x < y ? y : x; }
FLOATS(MATH2)
double irate_erf(double x);
float irate_erff(float x);
BUILTIN_CONST float erf(float x) { return irate_erff(x); }
BUILTIN_CONST double erf(double x) { return irate_erf(x); }
BUILTIN_CONST half erf(half x) { return (half)irate_erff((float)x); }

// ---- Classification of floats: 1 and 0 of scalars, -1 and 0 of vectors
BUILTIN_CONST int isnan(float x) { return x != x; }
BUILTIN_CONST int isnan(double x) { return x != x; }
BUILTIN_CONST int isnan(half x) { return x != x; }
BUILTIN_CONST int isinf(float x) { return __builtin_isinf(x); }
BUILTIN_CONST int isinf(double x) { return __builtin_isinf(x); }
BUILTIN_CONST int isfinite(float x) { return __builtin_isfinite(x); }
BUILTIN_CONST int isfinite(double x) { return __builtin_isfinite(x); }

// ---- Integers
#define INTEGER(T)                                                                \
  BUILTIN_CONST T min(T x, T y) { return __builtin_elementwise_min(x, y); }       \
  BUILTIN_CONST T max(T x, T y) { return __builtin_elementwise_max(x, y); }       \
  BUILTIN_CONST T popcount(T x) { return __builtin_elementwise_popcount(x); }     \
  BUILTIN_CONST T clamp(T x, T low, T high) {                                     \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high);    \
  }
INTEGERS(INTEGER)
#define CLZ_SCALAR(T, U)                               \
  BUILTIN_CONST T clz(T x) {                           \
    T n = 0;                                           \
    for (U bits = (U)x; n < (T)(sizeof(T) * 8); ++n) { \
      if (bits >> (sizeof(T) * 8 - 1)) break;          \
      bits = (U)(bits << 1);                           \
    }                                                  \
    return n;                                          \
  }
CLZ_SCALAR(char, uchar) CLZ_SCALAR(uchar, uchar) CLZ_SCALAR(short, ushort)
CLZ_SCALAR(ushort, ushort) CLZ_SCALAR(int, uint) CLZ_SCALAR(uint, uint) CLZ_SCALAR(long, ulong)
CLZ_SCALAR(ulong, ulong)
#define ABS_OF(T, U) \
  BUILTIN_CONST U abs(T x) { return __builtin_astype(__builtin_elementwise_abs(x), U); }
#define ABS_ALL(T, U) \
  ABS_OF(T, U) ABS_OF(T##2, U##2) ABS_OF(T##4, U##4) ABS_OF(T##8, U##8) ABS_OF(T##16, U##16)
ABS_ALL(char, uchar) ABS_ALL(short, ushort) ABS_ALL(int, uint) ABS_ALL(long, ulong)

// ---- select: a scalar condition counts when it is not zero, a vector's by its highest bit
#define SELECT_SCALAR(T, C) \
  BUILTIN_CONST T select(T a, T b, C c) { return c ? b : a; }
#define SELECT_VECTOR(T, C, S) \
  BUILTIN_CONST T select(T a, T b, C c) { return __builtin_astype(c, S) < (S)0 ? b : a; }
#define SELECT_SIZES(T, C, S)                                                        \
  SELECT_SCALAR(T, C) SELECT_VECTOR(T##2, C##2, S##2) SELECT_VECTOR(T##4, C##4, S##4) \
  SELECT_VECTOR(T##8, C##8, S##8) SELECT_VECTOR(T##16, C##16, S##16)                  \
  BUILTIN_CONST T##3 select(T##3 a, T##3 b, C##3 c) {                                 \
    return (T##3)((S)c.x < 0 ? b.x : a.x, (S)c.y < 0 ? b.y : a.y, (S)c.z < 0 ? b.z : a.z); \
  }
#define SELECT(T, S, U) SELECT_SIZES(T, S, S) SELECT_SIZES(T, U, S)
SELECT(char, char, uchar) SELECT(uchar, char, uchar)
SELECT(short, short, ushort) SELECT(ushort, short, ushort) SELECT(half, short, ushort)
SELECT(int, int, uint) SELECT(uint, int, uint) SELECT(float, int, uint)
SELECT(long, long, ulong) SELECT(ulong, long, ulong) SELECT(double, long, ulong)

// ---- Conversions
#define CONVERT_VECTOR(D, S, N) \
  BUILTIN_CONST D##N convert_##D##N(S##N x) { return __builtin_convertvector(x, D##N); }
#define CONVERT(D, S)                                                                \
  BUILTIN_CONST D convert_##D(S x) { return (D)x; }                                  \
  CONVERT_VECTOR(D, S, 2) CONVERT_VECTOR(D, S, 3) CONVERT_VECTOR(D, S, 4)            \
  CONVERT_VECTOR(D, S, 8) CONVERT_VECTOR(D, S, 16)
#define CONVERT_TO(D)                                                                     \
  CONVERT(D, char) CONVERT(D, uchar) CONVERT(D, short) CONVERT(D, ushort) CONVERT(D, int) \
  CONVERT(D, uint) CONVERT(D, long) CONVERT(D, ulong) CONVERT(D, float) CONVERT(D, double) \
  CONVERT(D, half)
CONVERT_TO(char) CONVERT_TO(uchar) CONVERT_TO(short) CONVERT_TO(ushort) CONVERT_TO(int)
CONVERT_TO(uint) CONVERT_TO(long) CONVERT_TO(ulong) CONVERT_TO(float) CONVERT_TO(double)
CONVERT_TO(half)

// ---- Vectors in memory that is aligned for their elements only
#define VECTOR_LOAD(SPACE, T, N)                                       \
  BUILTIN T##N vload##N(size_t i, const SPACE T* p) {                  \
    typedef struct __attribute__((packed)) { T##N value; } Unaligned;  \
    return ((const SPACE Unaligned*)(p + i * N))->value;               \
  }
#define VECTOR_STORE(SPACE, T, N)                                      \
  BUILTIN void vstore##N(T##N value, size_t i, SPACE T* p) {           \
    typedef struct __attribute__((packed)) { T##N value; } Unaligned;  \
    ((SPACE Unaligned*)(p + i * N))->value = value;                    \
  }
#define VECTOR_LOADS(SPACE, T)                                                  \
  VECTOR_LOAD(SPACE, T, 2) VECTOR_LOAD(SPACE, T, 4) VECTOR_LOAD(SPACE, T, 8)    \
  VECTOR_LOAD(SPACE, T, 16)                                                     \
  BUILTIN T##3 vload3(size_t i, const SPACE T* p) {                             \
    return (T##3)(p[3 * i], p[3 * i + 1], p[3 * i + 2]);                        \
  }
#define VECTOR_STORES(SPACE, T)                                                 \
  VECTOR_STORE(SPACE, T, 2) VECTOR_STORE(SPACE, T, 4) VECTOR_STORE(SPACE, T, 8) \
  VECTOR_STORE(SPACE, T, 16)                                                    \
  BUILTIN void vstore3(T##3 value, size_t i, SPACE T* p) {                      \
    p[3 * i] = value.x;                                                         \
    p[3 * i + 1] = value.y;                                                     \
    p[3 * i + 2] = value.z;                                                     \
  }
#define VECTOR_MEMORY(T)                                                                  \
  VECTOR_LOADS(__global, T) VECTOR_LOADS(__local, T) VECTOR_LOADS(__private, T)           \
  VECTOR_LOADS(__constant, T) VECTOR_STORES(__global, T) VECTOR_STORES(__local, T)        \
  VECTOR_STORES(__private, T)
VECTOR_MEMORY(char) VECTOR_MEMORY(uchar) VECTOR_MEMORY(short) VECTOR_MEMORY(ushort)
VECTOR_MEMORY(int) VECTOR_MEMORY(uint) VECTOR_MEMORY(long) VECTOR_MEMORY(ulong)
VECTOR_MEMORY(float) VECTOR_MEMORY(double) VECTOR_MEMORY(half)
